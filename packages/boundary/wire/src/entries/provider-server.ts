export { providerExtrasService } from '../provider/extras-server.js';
export { providerService } from '../provider/server.js';
