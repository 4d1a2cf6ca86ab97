/** A member of an object in JSON, or one element of a member that is an array. */
export interface Member {
  name: string;
  value: unknown;
}

/** The longest element of an array, or member that is not an array, in UTF-16 code units. */
const MAX_VALUE_LENGTH = 64 * 1024;

/** The place of the next character in the object. */
type Place = 'before' | 'name' | 'value' | 'elements' | 'after array' | 'after';

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
 * Parses a JSON object from a stream of text, so that it need not fit into memory. Each member is
 * returned separately; a member that is an array, element by element.
 */
export class JsonMembers {
  #place: Place = 'before';
  #name = '';
  /** The part of the current name or value that was received so far. */
  #pending = '';
  /** The nesting depth of the next character in the current value. */
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** Whether the object or array may end here: only if it is empty so far. */
  #mayEnd = false;

  /**
   * Adds text; returns the members that are complete now.
   *
   * @throws {SyntaxError} if the text is not a JSON object, or a value is too long.
   */
  *push(text: string): Generator<Member> {
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (!this.#isBorder(code)) continue;
      const piece = this.#joinPending(text.slice(from, at));
      from = at + 1;
      const value = this.#passBorder(code, piece);
      if (value) yield { name: this.#name, value: value.parsed };
    }
    this.#pending = this.#joinPending(text.slice(from));
  }

  /** @throws {SyntaxError} unless the object is complete, with nothing after it. */
  end(): void {
    if (this.#place !== 'after' || !isBlank(this.#pending)) throw notAnObject();
  }

  /** Whether a character separates parts of the object. */
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

  /** Whether a bracket opens the object, or a member that is an array. */
  #opens(code: number): boolean {
    if (this.#depth > 0) return false;
    return this.#place === (code === CODE.openObject ? 'before' : 'value');
  }

  /** Passes a border; returns the value that ends there, if any. */
  #passBorder(code: number, piece: string): { parsed: unknown } | undefined {
    const { comma, colon, openObject, openList, closeObject, closeList } = CODE;
    const place = this.#place;
    const isEmpty = isBlank(piece);
    if (place === 'before' && code === openObject && isEmpty) return this.#moveTo('name', true);
    if (place === 'name' && code === colon) return this.#startValue(JSON.parse(piece));
    if (place === 'name' && code === closeObject && isEmpty && this.#mayEnd)
      return this.#moveTo('after');
    if (place === 'value' && code === openList && isEmpty) return this.#moveTo('elements', true);
    if (place === 'after array' && isEmpty && code === comma) return this.#moveTo('name');
    if (place === 'after array' && isEmpty && code === closeObject) return this.#moveTo('after');
    if (place === 'elements' && code === closeList && isEmpty && this.#mayEnd) {
      return this.#moveTo('after array');
    }
    const isElement = place === 'elements' && (code === comma || code === closeList);
    const isValue = place === 'value' && (code === comma || code === closeObject);
    if (!isElement && !isValue) throw notAnObject();
    const parsed = JSON.parse(piece) as unknown;
    if (isElement) this.#moveTo(code === comma ? 'elements' : 'after array');
    else this.#moveTo(code === comma ? 'name' : 'after');
    return { parsed };
  }

  #startValue(name: unknown): undefined {
    if (typeof name !== 'string') throw notAnObject();
    this.#name = name;
    this.#moveTo('value');
  }

  #moveTo(place: Place, mayEnd = false): undefined {
    this.#place = place;
    this.#mayEnd = mayEnd;
  }

  #joinPending(piece: string): string {
    const whole = this.#pending + piece;
    this.#pending = '';
    if (whole.length > MAX_VALUE_LENGTH) throw new SyntaxError('A value is too long.');
    return whole;
  }
}

function isBlank(text: string): boolean {
  return !/[^ \t\r\n]/.test(text);
}

function notAnObject(): SyntaxError {
  return new SyntaxError('The text is not a JSON object.');
}
