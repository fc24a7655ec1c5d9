export { ConverterClient } from '../converter/client.js';
