import { firstIndex } from '../first-index.js';

/** What a node of a JSON text is. */
export const KIND = {
  object: 0,
  array: 1,
  string: 2,
  number: 3,
  boolean: 4,
  null: 5,
  /** All lines of JSON Lines. */
  lines: 6,
  /** A line of JSON Lines that is not JSON. */
  broken: 7,
} as const;

/** Where a text is not JSON, and what stands there. */
export interface JsonError {
  /** In UTF-16 code units from the beginning of the text. */
  offset: number;
  /** From 1. */
  line: number;
  /** In UTF-16 code units from the beginning of the line, from 1. */
  column: number;
}

/** The fields of one node while it is added. */
interface NewNode {
  kind: number;
  parent: number;
  start: number;
  keyStart: number;
  keyEnd: number;
}

const FIRST_CAPACITY = 1_024;

/** How many numbers each node takes. */
const FIELDS = 9;

const [START, END, KEY_START, KEY_END] = [0, 1, 2, 3];
const [PARENT, SIZE, POSITION, NEXT, LEVEL] = [4, 5, 6, 7, 8];

/**
 * The nodes of a JSON text in the order of the text, with the root first, each as places in the text.
 * Nothing is turned into objects: numbers keep all digits, keys their order, and a key such as
 * `__proto__` is a string like any other.
 */
export class JsonIndex {
  readonly text: string;
  #fields = new Int32Array(FIRST_CAPACITY * FIELDS);
  #kinds = new Uint8Array(FIRST_CAPACITY);
  #count = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** How many nodes exist. */
  get count(): number {
    return this.#count;
  }

  /** Adds a node after all others, and returns its number. Its end is yet to come. */
  add({ kind, parent, start, keyStart, keyEnd }: NewNode): number {
    const node = this.#count;
    if (node === this.#kinds.length) this.#grow();
    this.#count += 1;
    this.#kinds[node] = kind;
    this.#set(node, START, start);
    this.#set(node, KEY_START, keyStart);
    this.#set(node, KEY_END, keyEnd);
    this.#set(node, PARENT, parent);
    this.#set(node, LEVEL, parent < 0 ? 1 : this.levelOf(parent) + 1);
    if (parent < 0) return node;
    this.#set(node, POSITION, this.sizeOf(parent));
    this.#set(parent, SIZE, this.sizeOf(parent) + 1);
    return node;
  }

  /** Says where a node ends. All nodes that were added after it are in it. */
  close(node: number, end: number): void {
    this.#set(node, END, end);
    this.#set(node, NEXT, this.#count);
  }

  /** Forgets a node and all after it, which are in it. */
  remove(node: number): void {
    const parent = this.parentOf(node);
    if (parent >= 0) this.#set(parent, SIZE, this.sizeOf(parent) - 1);
    this.#fields.fill(0, node * FIELDS, this.#count * FIELDS);
    this.#count = node;
  }

  kindOf(node: number): number {
    return this.#kinds[node]!;
  }

  /** Whether a node can have entries. */
  isContainer(node: number): boolean {
    const kind = this.kindOf(node);
    return kind === KIND.object || kind === KIND.array || kind === KIND.lines;
  }

  /** The node around a node; −1 for the root. */
  parentOf(node: number): number {
    return this.#get(node, PARENT);
  }

  /** How deep a node is in others; 1 for the root. */
  levelOf(node: number): number {
    return this.#get(node, LEVEL);
  }

  /** How many entries a node has. */
  sizeOf(node: number): number {
    return this.#get(node, SIZE);
  }

  /** Which entry of its parent a node is, from 0. */
  positionOf(node: number): number {
    return this.#get(node, POSITION);
  }

  /** The first node that is not in this one. */
  nextOf(node: number): number {
    return this.#get(node, NEXT);
  }

  /** Where a node begins in the text, and where it ends. */
  rangeOf(node: number): [start: number, end: number] {
    return [this.#get(node, START), this.#get(node, END)];
  }

  /** Where a node begins in the text with its key, if it has one. */
  startOf(node: number): number {
    return this.#get(node, this.#get(node, KEY_END) > 0 ? KEY_START : START);
  }

  /** The node that stands at a place of the text, or the last one before. */
  nodeAt(offset: number): number {
    const after = firstIndex(this.#count, (node) => this.startOf(node) > offset);
    return Math.max(0, after - 1);
  }

  /** The key of an entry of an object as it is written, with its quotes; '' for other nodes. */
  keyOf(node: number): string {
    return this.text.slice(this.#get(node, KEY_START), this.#get(node, KEY_END));
  }

  #get(node: number, field: number): number {
    return this.#fields[node * FIELDS + field]!;
  }

  #set(node: number, field: number, value: number): void {
    this.#fields[node * FIELDS + field] = value;
  }

  #grow(): void {
    const fields = new Int32Array(this.#fields.length * 2);
    fields.set(this.#fields);
    this.#fields = fields;
    const kinds = new Uint8Array(this.#kinds.length * 2);
    kinds.set(this.#kinds);
    this.#kinds = kinds;
  }
}
