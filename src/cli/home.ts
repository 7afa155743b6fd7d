import { homedir } from "node:os";

// A user whom the system's list does not know, as a container's or systemd's may be, has no home
// unless HOME says so, and Node fails to tell one. Others get the root folder then.
try {
  homedir();
} catch {
  process.env["HOME"] = "/";
}
