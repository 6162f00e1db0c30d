// A search is a generator that yields now and then, so that a page can do other work in between.

// Runs a search to its end at once.
export function finish(search) {
  for (;;) {
    const { done, value } = search.next();
    if (done) return value;
  }
}
