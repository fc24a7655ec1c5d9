import './use-three-servers.js';
import './terraform.test.js';
