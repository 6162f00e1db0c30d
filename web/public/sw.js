// Keeps the whole page, so that it works without a network. Built by make web: each change is a new version.
const VERSION = "ochibot-nyaa-__VERSION__";
const FILES = new Set(__FILES__);
const HOME = new URL("./", self.location).href;

self.addEventListener("install", (event) => {
  const fresh = [...FILES].map((name) => new Request(new URL(name, HOME), { cache: "reload" }));
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(fresh)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const drop = (names) => names.filter((name) => name.startsWith("ochibot-nyaa-") && name !== VERSION);
  event.waitUntil(
    caches.keys().then((names) => Promise.all(drop(names).map((name) => caches.delete(name)))).then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || !url.href.startsWith(HOME)) return;
  const name = (url.origin + url.pathname).slice(HOME.length) || "index.html";
  if (!FILES.has(name)) return;
  const kept = caches.open(VERSION).then((cache) => cache.match(new URL(name, HOME)));
  event.respondWith(kept.then((found) => found ?? fetch(event.request)));
});
