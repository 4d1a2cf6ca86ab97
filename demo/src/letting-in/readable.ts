import type { ConsentAnswer } from '@inpage-mcp/elements';

/** What the user has allowed a client to read. */
export interface Readable {
  /** All notes and files, also later ones; else only `notes`. */
  readonly everything: boolean;
  /** Addresses of notes. */
  readonly notes: readonly string[];
}

/** A note that the user may choose. */
export interface Choice {
  readonly uri: string;
  readonly title: string;
  /** Whether it is chosen unless the user says otherwise. */
  readonly isSuggested: boolean;
}

/** The fields of a question in which the user chooses what a client may read. */
export function readableFields(choices: readonly Choice[]): { [field: string]: object } {
  const notes = {
    type: 'array',
    title: 'These notes',
    items: { anyOf: choices.map(({ uri, title }) => ({ const: uri, title })) },
    default: choices.filter(({ isSuggested }) => isSuggested).map(({ uri }) => uri),
  };
  return {
    ...(choices.length > 0 && { notes }),
    everything: {
      type: 'boolean',
      title: 'All notes and files, also later ones',
      default: false,
    },
  };
}

/** What the user has chosen in these fields. */
export function readableIn({ content = {} }: ConsentAnswer): Readable {
  const { everything, notes } = content;
  return {
    everything: everything === true,
    notes: Array.isArray(notes) ? notes.filter((one) => typeof one === 'string') : [],
  };
}

/** The addresses that a client may read, for its `Access`. */
export const readAccess = ({ everything, notes }: Readable): string[] =>
  everything ? ['note:///', 'file:///'] : [...notes];

/** For example “all notes and files”, “one note”. */
export function readableInWords({ everything, notes }: Readable): string {
  if (everything) return 'all notes and files';
  if (notes.length === 0) return 'nothing';
  return notes.length === 1 ? 'one note' : `${notes.length} notes`;
}
