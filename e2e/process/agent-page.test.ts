import { sandbox } from '../support/cairn.js';
import { giveDocker } from '../support/fake-docker.js';
import { PageRun, readPage } from '../support/page-run.js';

jest.setTimeout(300_000);

test('what docs/agent.md shows is what happens', async () => {
  const box = sandbox({ 'package.json': '{}' }, { projectFile: false });
  try {
    const page = readPage('agent.md');
    expect(page.blocks.length).toBeGreaterThanOrEqual(7);
    const { env } = giveDocker(box);
    await new PageRun(box, { env: { DOCKER_HOST: env['DOCKER_HOST'] } }).carryOut(page);
  } finally {
    box.remove();
  }
});
