/** Code with which providers use the log of effects, in their own processes; `at` returns a file of the project. */
export const LOG = `
const read = (file) => (fs.existsSync(at(file)) ? fs.readFileSync(at(file), 'utf8').trim() : '');
const point = async (when, line) => {
  if (read('point.txt') !== when + ' ' + line) return;
  fs.rmSync(at('point.txt'), { force: true });
  fs.writeFileSync(at('reached'), '');
  while (!fs.existsSync(at('go'))) await new Promise((resolve) => setTimeout(resolve, 10));
};
const effect = async (what, object, value) => {
  const line = what + ' ' + object;
  await point('before', line);
  fs.appendFileSync(at('effects.log'), line + ' ' + value + '\\n');
  await point('after', line);
};
const valueOf = (id) => {
  let value;
  for (const line of read('effects.log').split('\\n')) {
    const [what, object, number] = line.split(' ');
    if (object === id) value = what === 'delete' ? undefined : Number(number);
  }
  return value;
};
`;
