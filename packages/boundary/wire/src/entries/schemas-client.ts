export { LoaderClient, MapperClient, ResolverClient } from '../schemas/client.js';
