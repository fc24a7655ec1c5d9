export { AnalyzerClient } from '../analyzer/client.js';
