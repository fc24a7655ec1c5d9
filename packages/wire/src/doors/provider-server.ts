export { providerService } from '../provider/server.js';
