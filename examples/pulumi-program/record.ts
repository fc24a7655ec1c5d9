import * as pulumi from '@pulumi/pulumi';
import { createHash, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import * as path from 'node:path';

/** Arguments of a record. */
export interface RecordArgs {
  /** Directory below the program's; another one means another record. */
  directory: pulumi.Input<string>;
  title: pulumi.Input<string>;
  fields: pulumi.Input<{ [name: string]: pulumi.Input<unknown> }>;
  /** Known to the record's owner only: the file holds its seal, never the code. */
  code?: pulumi.Input<string>;
}

interface RecordInputs {
  directory: string;
  title: string;
  fields: { [name: string]: unknown };
  code?: string;
}

interface RecordState extends RecordInputs {
  file: string;
  revision: number;
}

/** Writes the record's file. */
function write(record: RecordState): RecordState {
  const { code, ...open } = record;
  const seal =
    code === undefined ? undefined : createHash('sha256').update(`${record.file}:${code}`).digest('hex');
  fs.mkdirSync(record.directory, { recursive: true });
  fs.writeFileSync(record.file, JSON.stringify({ ...open, seal }, null, 2));
  return record;
}

/** Keeps one JSON file per record. Paths are relative to the program's directory, where its providers run. */
const provider: pulumi.dynamic.ResourceProvider<RecordInputs, RecordState> = {
  async check(_olds, news) {
    const failures = news.title === '' ? [{ property: 'title', reason: 'a record needs a title' }] : [];
    return { inputs: news, failures };
  },

  async diff(_id, olds, news) {
    const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
    const replaces = olds.directory === news.directory ? [] : ['directory'];
    const changes =
      replaces.length > 0 ||
      olds.title !== news.title ||
      olds.code !== news.code ||
      !same(olds.fields, news.fields);
    return { changes, replaces, stables: ['file'], deleteBeforeReplace: false };
  },

  async create(inputs) {
    const id = randomUUID();
    const file = path.join(inputs.directory, `${id}.json`);
    return { id, outs: write({ ...inputs, file, revision: 1 }) };
  },

  async read(id, props) {
    if (props === undefined || !fs.existsSync(props.file)) {
      return {};
    }
    const { title, fields, revision }: RecordState = JSON.parse(fs.readFileSync(props.file, 'utf8'));
    return { id, props: { ...props, title, fields, revision } };
  },

  async update(_id, olds, news) {
    return { outs: write({ ...news, file: olds.file, revision: olds.revision + 1 }) };
  },

  async delete(_id, props) {
    fs.rmSync(props.file, { force: true });
  },
};

/** A JSON record on disk. */
export class Record extends pulumi.dynamic.Resource {
  declare public readonly file: pulumi.Output<string>;
  declare public readonly revision: pulumi.Output<number>;
  declare public readonly title: pulumi.Output<string>;

  constructor(name: string, args: RecordArgs, opts?: pulumi.CustomResourceOptions) {
    super(provider, name, { ...args, file: undefined, revision: undefined }, opts);
  }
}
