import { ProjectSources } from './project-sources.js';

test('frames of a constructor come after those of its caller, while it works', async () => {
  const sources = new ProjectSources('/project');
  const at = (line: number) => ({ uri: 'file:///project/index.ts', line, column: 0 });
  const frame = (line: number) => ({ sourcePosition: `project:///index.ts#${line}` });
  const handles: string[] = [];
  await sources.calledFrom(sources.frames([at(1)]), async ({ stackTraceHandle = '' }) => {
    handles.push(stackTraceHandle);
    const inner = sources.frames([at(2)], stackTraceHandle);
    expect(inner).toEqual([frame(1), frame(2)]);
    await sources.calledFrom(inner, (deeper) => {
      expect(sources.frames([at(3)], deeper.stackTraceHandle)).toEqual([frame(1), frame(2), frame(3)]);
      return Promise.resolve();
    });
  });
  expect(sources.frames([at(2)], handles[0])).toEqual([frame(2)]);
  await sources.calledFrom([], (caller) => Promise.resolve(expect(caller).toEqual({})));
});
