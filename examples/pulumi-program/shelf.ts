import * as pulumi from '@pulumi/pulumi';
import { Record } from './record';

export interface ShelfArgs {
  directory: string;
  label: string;
  books: { title: string; author: string }[];
}

/** A shelf: a record of its own, and one for each book on it. */
export class Shelf extends pulumi.ComponentResource {
  public readonly books: Record[];
  public readonly titles: pulumi.Output<string[]>;

  constructor(name: string, args: ShelfArgs, opts?: pulumi.ComponentResourceOptions) {
    super('library:index:Shelf', name, {}, opts);
    const shelf = new Record(
      `${name}-shelf`,
      { directory: args.directory, title: args.label, fields: { kind: 'shelf' } },
      { parent: this },
    );
    this.books = args.books.map(
      ({ title, author }, index) =>
        new Record(
          `${name}-book-${index}`,
          { directory: args.directory, title, fields: { kind: 'book', author, shelf: shelf.id } },
          { parent: this },
        ),
    );
    this.titles = pulumi.all(this.books.map((book) => book.title));
    this.registerOutputs({ titles: this.titles });
  }
}
