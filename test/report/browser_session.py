# Part of BlockMaestro, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A headless Chromium with one tab, driven over the DevTools protocol.

The protocol goes through two pipes that Chromium reads and writes as its descriptors 3 and 4 (messages end with a
zero byte), so Python's standard library is all that this needs. The browser has a profile of its own, which goes
when the session ends.
"""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

# Under the sanitizers the environment has libraries preloaded that the browser must not have.
FOREIGN_VARIABLES = ("LD_PRELOAD", "ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-extensions",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--mute-audio",
         "--font-render-hinting=none", "--disable-dev-shm-usage", "--force-color-profile=srgb",
         "--remote-debugging-pipe"]


class Failure(Exception):
    """What went wrong, in a sentence."""


class Session:
    """A tab. `console` gathers what the page writes there as errors and warnings, and uncaught exceptions."""

    def __init__(self, seconds=60):
        self.seconds = seconds
        self.console = []
        self.requests = []
        self.number = 0
        self.buffer = b""
        self.profile = tempfile.mkdtemp(prefix="bm-report-browser-")
        self._launch()
        target = self._send("Target.createTarget", {"url": "about:blank"})["targetId"]
        self.tab = self._send("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def _launch(self):
        here, theirs = os.pipe(), os.pipe()
        environment = {key: value for key, value in os.environ.items() if key not in FOREIGN_VARIABLES}

        def descriptors():
            os.dup2(here[0], 103)
            os.dup2(theirs[1], 104)
            os.dup2(103, 3)
            os.dup2(104, 4)

        self.process = subprocess.Popen(
            ["chromium", "--user-data-dir=" + self.profile] + FLAGS, env=environment, preexec_fn=descriptors,
            close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(here[0])
        os.close(theirs[1])
        self.output, self.input = here[1], theirs[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._send("Browser.close")
            self.process.wait(10)
        except (Failure, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def _receive(self, until):
        while b"\0" not in self.buffer:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.input], [], [], left)[0]:
                raise Failure("the browser did not answer in time")
            data = os.read(self.input, 1 << 20)
            if not data:
                raise Failure("the browser ended by itself")
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def _notice(self, message):
        method, values = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = values["exceptionDetails"]
            self.console.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning", "assert"):
            self.console.append(" ".join(str(each.get("value", each.get("description"))) for each in values["args"]))
        elif method == "Log.entryAdded" and values["entry"]["level"] in ("error", "warning"):
            self.console.append(values["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])

    def _send(self, method, values=None, tab=None):
        self.number += 1
        message = {"id": self.number, "method": method, "params": values or {}}
        if tab:
            message["sessionId"] = tab
        os.write(self.output, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + self.seconds
        while True:
            answer = self._receive(until)
            if answer.get("id") != self.number:
                self._notice(answer)
            elif "error" in answer:
                raise Failure(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def call(self, method, **values):
        return self._send(method, values, self.tab)

    def show(self, width=1280, height=800, dark=False, media=""):
        """The size of the window in pixels of CSS, the colour scheme and the medium that the page sees from now on."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=media, features=[scheme])

    def open(self, path, fragment="", ready="document.documentElement?.dataset.state !== undefined"):
        """Opens a page and waits until it is `ready`: a report, until it says that it is there or why it is not."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri() + fragment)
        self.wait_for(ready)

    def settle(self):
        """Waits until what was asked for has been drawn."""
        self.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30))))")

    def value(self, expression):
        """What `expression` is in the page, as JSON can say it; a promise is waited for."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise Failure(f"{expression}: {details.get('exception', {}).get('description', details['text'])}")
        return answer["result"].get("value")

    def wait_for(self, expression, seconds=None):
        until = time.monotonic() + (seconds or self.seconds)
        while not self.value(expression):
            if time.monotonic() > until:
                raise Failure(f"never true: {expression}")
            time.sleep(0.02)

    def move_to(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click_at(self, x, y):
        self.move_to(x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key, code=0):
        for kind in ("rawKeyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def screenshot(self, path, whole=False):
        """A PNG of the window, or of the `whole` page."""
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        pathlib.Path(path).write_bytes(base64.b64decode(answer["data"]))
