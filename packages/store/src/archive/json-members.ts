/** A member of an object in JSON, or one element of a member that is an array. */
export interface Member {
  name: string;
  value: unknown;
}

/** The longest member that is no array, and the longest element, in UTF-16 code units. */
const MAX_VALUE_LENGTH = 64 * 1024;

/** Where in the object the next character is. */
type Place = 'before' | 'name' | 'value' | 'elements' | 'behind array' | 'behind';

const CODE = {
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openList: 0x5b,
  backslash: 0x5c,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
};

/**
 * Takes an object in JSON apart as its text comes, so that it may be longer than memory: each member
 * by itself, and of those that are arrays each element.
 */
export class JsonMembers {
  #place: Place = 'before';
  #name = '';
  /** What has come of the present name or value. */
  #pending = '';
  /** How deep in the present value the next character is. */
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** Whether there may be no further name or element: only where none came before, or no comma. */
  #mayEnd = false;

  /**
   * What is whole with the text that comes next.
   *
   * @throws {SyntaxError} where it is no object in JSON, or has a value that is too long.
   */
  *push(text: string): Generator<Member> {
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (!this.#isBorder(code)) continue;
      const piece = this.#take(text.slice(from, at));
      from = at + 1;
      const value = this.#pass(code, piece);
      if (value) yield { name: this.#name, value: value.parsed };
    }
    this.#pending = this.#take(text.slice(from));
  }

  /** @throws {SyntaxError} unless the object was whole, with nothing behind it. */
  end(): void {
    if (this.#place !== 'behind' || !isBlank(this.#pending)) throw unexpected();
  }

  /** Whether a character stands between the parts of the object, and not inside of one. */
  #isBorder(code: number): boolean {
    if (this.#isInString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === CODE.backslash) this.#isEscaped = true;
      else if (code === CODE.quote) this.#isInString = false;
      return false;
    }
    switch (code) {
      case CODE.quote:
        this.#isInString = true;
        return false;
      case CODE.comma:
      case CODE.colon:
        return this.#depth === 0;
      case CODE.openObject:
      case CODE.openList:
        if (this.#opens(code)) return true;
        this.#depth += 1;
        return false;
      case CODE.closeObject:
      case CODE.closeList:
        if (this.#depth === 0) return true;
        this.#depth -= 1;
        return false;
      default:
        return false;
    }
  }

  /** Whether a bracket opens the object itself, or a member that is an array. */
  #opens(code: number): boolean {
    if (this.#depth > 0) return false;
    return this.#place === (code === CODE.openObject ? 'before' : 'value');
  }

  /** Goes past a border; returns what was whole with it. */
  #pass(code: number, piece: string): { parsed: unknown } | undefined {
    const { comma, colon, openObject, openList, closeObject, closeList } = CODE;
    const place = this.#place;
    const isEmpty = isBlank(piece);
    if (place === 'before' && code === openObject && isEmpty) return this.#go('name', true);
    if (place === 'name' && code === colon) return this.#startValue(JSON.parse(piece));
    if (place === 'name' && code === closeObject && isEmpty && this.#mayEnd)
      return this.#go('behind');
    if (place === 'value' && code === openList && isEmpty) return this.#go('elements', true);
    if (place === 'behind array' && isEmpty && code === comma) return this.#go('name');
    if (place === 'behind array' && isEmpty && code === closeObject) return this.#go('behind');
    if (place === 'elements' && code === closeList && isEmpty && this.#mayEnd) {
      return this.#go('behind array');
    }
    const isElement = place === 'elements' && (code === comma || code === closeList);
    const isValue = place === 'value' && (code === comma || code === closeObject);
    if (!isElement && !isValue) throw unexpected();
    const parsed = JSON.parse(piece) as unknown;
    if (isElement) this.#go(code === comma ? 'elements' : 'behind array');
    else this.#go(code === comma ? 'name' : 'behind');
    return { parsed };
  }

  #startValue(name: unknown): undefined {
    if (typeof name !== 'string') throw unexpected();
    this.#name = name;
    this.#go('value');
  }

  #go(place: Place, mayEnd = false): undefined {
    this.#place = place;
    this.#mayEnd = mayEnd;
  }

  #take(piece: string): string {
    const whole = this.#pending + piece;
    this.#pending = '';
    if (whole.length > MAX_VALUE_LENGTH) throw new SyntaxError('A value is too long.');
    return whole;
  }
}

function isBlank(text: string): boolean {
  return !/[^ \t\r\n]/.test(text);
}

function unexpected(): SyntaxError {
  return new SyntaxError('This is no object in JSON.');
}
