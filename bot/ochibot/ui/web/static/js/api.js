// Asking the server. Every failure becomes an ApiError with a sentence for the person.

export class ApiError extends Error {}

export async function ask(path, body) {
  let response;
  try {
    const options = body === undefined ? {} : {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    };
    response = await fetch(`/api/${path}`, options);
  } catch {
    throw new ApiError("The server doesn't answer. Is “ochibot web” still running?");
  }
  let answer;
  try {
    answer = await response.json();
  } catch {
    throw new ApiError(`The server's answer can't be read (status ${response.status}).`);
  }
  if (!response.ok) throw new ApiError(answer.error ?? `The server refused (status ${response.status}).`);
  return answer;
}

// Asks for the newest thing only: while a question is under way, later ones replace each other.
export class Latest {
  #question;
  #running = false;
  #next = null;

  constructor(question) {
    this.#question = question;
  }

  async request(argument, onAnswer, onError) {
    this.#next = { argument, onAnswer, onError };
    if (this.#running) return;
    this.#running = true;
    while (this.#next !== null) {
      const { argument: asked, onAnswer: answered, onError: failed } = this.#next;
      this.#next = null;
      try {
        answered(await this.#question(asked));
      } catch (error) {
        failed(error);
      }
    }
    this.#running = false;
  }
}
