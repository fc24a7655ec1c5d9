export { AnalyzerClient } from '../analyzer/client.js';
export type { AnalyzerClientOptions } from '../analyzer/client.js';
