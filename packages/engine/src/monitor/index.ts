export { createMonitor } from './create-monitor.js';
export type { MonitorOptions, ProgramMonitor } from './create-monitor.js';
export { createEngineService } from './engine-service.js';
export { programRun } from './program-run.js';
export type { ProgramRun, ProgramRunOptions } from './program-run.js';
export { serveMonitor } from './serve-monitor.js';
export type { ServedPeers } from './serve-peers.js';
export type {
  PostRegistration,
  ReadResult,
  RegisterResult,
  Registration,
  Reply,
} from '../model/registration.js';
export type { Goal, ReadGoal } from '../model/goal.js';
