export { loaderService, mapperService, resolverService } from '../schemas/server.js';
