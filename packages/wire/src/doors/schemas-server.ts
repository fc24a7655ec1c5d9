export { loaderService, mapperService } from '../schemas/server.js';
