import { homedir } from "node:os";

// An empty variable is one that is not set: nothing is kept in whatever folder a command runs in.
if (process.env["HOME"] === "") delete process.env["HOME"];

// A user whom the system's list does not know, as a container's or systemd's may be, has no home
// unless HOME says so, and Node fails to tell one. Others get the root folder then.
try {
  homedir();
} catch {
  process.env["HOME"] = "/";
}
