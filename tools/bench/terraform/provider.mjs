// A provider of Terraform's protocol as a process of its own; TERRAFORM_SCRIPT names its schemas.
import { main } from '../../../packages/testing/testkit/dist/terraform/scripted-main.js';

await main();
