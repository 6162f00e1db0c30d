// A page opened as a file may not start a Worker, and the search of mkdocs-material needs one. So on such pages a Worker
// is a hidden frame with the same interface: as much of it as that search uses.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.inner = frame.contentWindow;
      // some browsers load the empty page later, and would throw away what is set here; this ends such loading
      this.inner.document.open();
      this.inner.document.write("<!doctype html>");
      this.inner.document.close();
      // what the worker posts reaches the page as messages of this object
      this.inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.inner.importScripts = async (...addresses) => {
        for (const one of addresses) await this.load(one);
      };
      this.ready = this.load(address);
    }

    load(address) {
      return new Promise((resolve, reject) => {
        const script = this.inner.document.createElement("script");
        script.src = new URL(address, location.href);
        script.onload = resolve;
        script.onerror = reject;
        this.inner.document.head.append(script);
      });
    }

    postMessage(data) {
      this.ready.then(() => this.inner.dispatchEvent(new MessageEvent("message", { data })));
    }

    terminate() {
      this.inner.frameElement.remove();
    }
  };
  // by this name the search's script tells that it runs in a frame
  window.IFrameWorker = window.Worker;
}
