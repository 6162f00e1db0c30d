// Keeps the whole page in a cache, so that it works without a network. make web gives each build a new version.
const FILES = new Set(["app.css","app.js","best.js","icon-180.png","icon-192.png","icon-512.png","icon-maskable.png","icon.svg","index.html","manifest.webmanifest","picture.css","picture.js","theme.js"]);
const HOME = new URL("./", self.location).href;
// other folders of the host may have a copy of the page, with its own cache
const OURS = `ochibot-nyaa ${new URL(HOME).pathname} `;
// another page, which changes without this one: the network's is newer
const BESIDE = "puyo.html";
const VERSION = `${OURS}517f888b622406fe`;
// the start page has the folder's own address: some hosts redirect from index.html, and a redirect can't be kept
const placeOf = (name) => (name === "index.html" ? HOME : new URL(name, HOME).href);

self.addEventListener("install", (event) => {
  const fresh = [...FILES].map((name) => new Request(placeOf(name), { cache: "reload" }));
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(fresh)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const drop = (names) => names.filter((name) => name.startsWith(OURS) && name !== VERSION);
  event.waitUntil(
    caches.keys().then((names) => Promise.all(drop(names).map((name) => caches.delete(name)))).then(() => self.clients.claim()),
  );
});

async function newest(request) {
  const cache = await caches.open(VERSION);
  try {
    const found = await fetch(request);
    if (found.ok) await cache.put(BESIDE, found.clone());
    return found;
  } catch (error) {
    const kept = await cache.match(BESIDE);
    if (kept === undefined) throw error;
    return kept;
  }
}

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || !url.href.startsWith(HOME)) return;
  const name = (url.origin + url.pathname).slice(HOME.length) || "index.html";
  if (name === BESIDE) event.respondWith(newest(event.request));
  if (!FILES.has(name)) return;
  const kept = caches.open(VERSION).then((cache) => cache.match(placeOf(name), { ignoreVary: true }));
  event.respondWith(kept.then((found) => found ?? fetch(event.request)));
});
