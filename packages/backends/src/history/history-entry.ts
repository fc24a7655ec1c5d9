// NOTICE to the state helper: the lead engineer has implemented this package (see src/file-backend.ts, layout.ts, locked-stack.ts, recovery.ts, locks.ts). Leave packages/backends alone: finish packages/state (decodeCheckpoint, encodeCheckpoint, verifyIntegrity, Replayer, signManifest) and report.
export {};
