export { LoaderClient, MapperClient } from '../schemas/client.js';
