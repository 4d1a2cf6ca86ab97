import { expect } from '@esm-bundle/chai';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/client/validators/cf-worker';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import {
  inputSchema,
  outputSchema,
  type JsonSchema,
} from '../../packages/protocol/src/schemas/index.js';

/** Those of the official clients: version 1 of the SDK, and version 2 in a browser. */
const VALIDATORS = [new AjvJsonSchemaValidator(), new CfWorkerJsonSchemaValidator()];

function isValid(schema: JsonSchema, value: unknown): boolean {
  return !('issues' in outputSchema(schema).check(value));
}

function isValidForClients(schema: JsonSchema, value: unknown): boolean {
  return VALIDATORS.every((validator) => validator.getValidator(schema as never)(value).valid);
}

/** Some of the many forms that formats have. */
const FORMATS: { [format: string]: { valid: string[]; invalid: string[] } } = {
  date: { valid: ['2024-02-29'], invalid: ['2023-02-29', '2024-04-31', '2024-13-01', '24-01-01'] },
  time: {
    valid: ['12:00:00Z', '12:00:00.5+01:00', '23:59:60Z'],
    invalid: ['12:00:00', '24:00:00Z', '12:00Z', '12:60:00Z'],
  },
  'date-time': {
    valid: ['2024-02-29T12:00:00Z', '2024-02-29 12:00:00-05:30'],
    invalid: ['2024-02-29', '2023-02-29T12:00:00Z', '2024-02-29T12:00:00', '2024-02-29TT12:00:00Z'],
  },
  'iso-time': { valid: ['12:00:00', '12:00:00Z'], invalid: ['12:00'] },
  'iso-date-time': { valid: ['2024-02-29T12:00:00'], invalid: ['2024-02-29'] },
  duration: { valid: ['P1D', 'PT1H30M', 'P2W'], invalid: ['P', 'PT', 'P1W2D', '1D', 'p1d'] },
  email: {
    valid: ['a.b+c@d-e.org'],
    invalid: ['a@b', '.a@b.co', 'a..b@c.de', 'a b@c.de', '@b.co'],
  },
  hostname: {
    valid: ['localhost', 'a-b.example.'],
    invalid: ['-a', 'a_b', `${'a'.repeat(64)}.de`],
  },
  ipv4: { valid: ['127.0.0.1'], invalid: ['256.0.0.1', '01.2.3.4', '1.2.3', '1.2.3.4.'] },
  ipv6: { valid: ['::', '1:2::7:8', '::ffff:1.2.3.4'], invalid: ['1::2::3', 'g::', '[::]', '1:2'] },
  uri: {
    valid: ['note:///a%20b?c#d', 'http://[::1]:80/', 'mailto:a@b.c', 'urn:isbn:1'],
    invalid: ['/a', 'http://ü.de', 'a b:c', 'http://[::1::2]/', 'a:%zz', 'a:', 'a:b#c#d'],
  },
  'uri-reference': { valid: ['', '/a', '?b', '#c', '//d'], invalid: ['ü', 'a b', '%', '//[::'] },
  'uri-template': { valid: ['/{a}{?b*,c:3}'], invalid: ['/{a', '{}', 'a b'] },
  url: { valid: ['https://example.com:80/a'], invalid: ['example.com', 'http://localhost/'] },
  uuid: { valid: ['123e4567-e89b-12d3-a456-426614174000'], invalid: ['123e4567'] },
  'json-pointer': { valid: ['', '/a~1b/0'], invalid: ['a', '/~2'] },
  'json-pointer-uri-fragment': { valid: ['#/a%20b'], invalid: ['/a', '#a'] },
  'relative-json-pointer': { valid: ['0#', '1/a'], invalid: ['/a', '01'] },
  regex: { valid: ['^a+$', '\\p{L}'], invalid: ['(', '\\Z'] },
  byte: { valid: ['', 'YQ=='], invalid: ['YQ', '_w=='] },
};

describe('the format of an output', () => {
  for (const [format, { valid, invalid }] of Object.entries(FORMATS)) {
    it(`${format} is checked as the official clients check it`, () => {
      for (const text of [...valid, ...invalid]) {
        expect(isValid({ format }, text), text).to.equal(valid.includes(text));
        expect(isValidForClients({ format }, text), text).to.equal(valid.includes(text));
      }
    });
  }

  it('of a number is checked, too, and an unknown one is not', () => {
    expect(isValid({ format: 'int32' }, 2 ** 31 - 1)).to.be.true;
    expect(isValid({ format: 'int32' }, 2 ** 31)).to.be.false;
    expect(isValid({ format: 'int64' }, 1.5)).to.be.false;
    expect(isValid({ format: 'int64' }, 'text')).to.be.true;
    expect(isValid({ format: 'constructor' }, 'text')).to.be.true;
  });

  it('is not checked of an input, which a model writes', () => {
    const { check } = inputSchema({ properties: { a: { format: 'email' } } });
    expect(check({ a: 'none' })).to.deep.equal({ value: { a: 'none' } });
  });
});

describe('multipleOf of an output', () => {
  it('takes the numbers that the official clients take', () => {
    for (const multipleOf of [0.1, 0.01, 0.25, 3, 1e-7]) {
      for (const value of [0, 0.3, 19.99, -0.5, 6, 7, 1e17, 1e300]) {
        expect(isValid({ multipleOf }, value), `${value} by ${multipleOf}`).to.equal(
          isValidForClients({ multipleOf }, value),
        );
      }
    }
  });
});
