// The connection to the game: server-sent events, tried again after a while when it breaks.

const [AGAIN, AFTER_END, SILENCE] = [1500, 4000, 7000];

export class Source {
  #tell;
  #stream = null;
  #timer = null;
  #silence = null;
  #ended = false;

  // tell.news(kind, content): "about", "state", "reach" or "end"; tell.link(state): "joining", "open", "lost", "full", "code"
  constructor(tell) {
    this.#tell = tell;
  }

  async start() {
    clearTimeout(this.#timer);
    let answer = null;
    try {
      answer = await fetch("api/live/now", { cache: "no-store" });
    } catch {
      this.#lose("lost");
      return;
    }
    if (answer.status === 401) {
      this.#tell.link("code");
      return;
    }
    if (!answer.ok) {
      this.#lose("lost");
      return;
    }
    // a game that has ended stays; another one may begin at the same address
    const now = await answer.json();
    if (this.#ended && "end" in now) {
      this.#later(AFTER_END);
      return;
    }
    this.#open();
  }

  #open() {
    const stream = new EventSource("api/live/events");
    this.#stream = stream;
    for (const kind of ["about", "state", "reach", "end"]) {
      stream.addEventListener(kind, (event) => {
        this.#hear();
        if (kind === "end") this.#end();
        else this.#ended = false;
        this.#tell.news(kind, JSON.parse(event.data));
      });
    }
    stream.addEventListener("beat", () => this.#hear());
    stream.addEventListener("open", () => {
      this.#hear();
      this.#tell.link("open");
    });
    stream.addEventListener("error", () => this.#lose("lost"));
    this.#hear();
  }

  #hear() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#lose("lost"), SILENCE);
  }

  #close() {
    clearTimeout(this.#silence);
    this.#stream?.close();
    this.#stream = null;
  }

  #end() {
    this.#ended = true;
    this.#close();
    this.#later(AFTER_END);
  }

  #lose(why) {
    this.#close();
    if (!this.#ended) this.#tell.link(why);
    this.#later(this.#ended ? AFTER_END : AGAIN);
  }

  #later(wait) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.start(), wait);
  }
}

// Sends the code. Returns 0 if it was right, else the answer's status; -1 without an answer.
export async function sendCode(code) {
  try {
    const answer = await fetch("api/live/code", {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ code }),
    });
    return answer.ok ? 0 : answer.status;
  } catch {
    return -1;
  }
}
