export { EngineClient } from '../engine/client.js';
