import { configure } from "arktype/config";

// Must be imported before arktype itself. Without compiled validators start-up
// is twice as fast, and bodies are freshly parsed, so nothing needs cloning
// (cloning also recurses, which a deeply nested body could turn into a crash).
configure({ jitless: true, clone: false });
