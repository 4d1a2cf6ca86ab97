import { expect } from '@esm-bundle/chai';
import { autoload } from '@inpage-mcp/elements/autoload';
import { loaders } from '../../packages/elements/src/autoload/loaders.js';

const isDefined = (name: string): boolean => customElements.get(name) !== undefined;

/** Elements that no other test of this page has defined, each used once. */
const unused = Object.keys(loaders).filter((name) => !isDefined(name));

async function loaded(name: string): Promise<void> {
  await customElements.whenDefined(name);
  expect(document.createElement(name)).to.not.be.instanceOf(HTMLUnknownElement);
}

function append(name: string, parent: ParentNode = document.body): HTMLElement {
  const element = document.createElement(name);
  parent.append(element);
  return element;
}

/** A host that has its shadow root only after it is defined. */
function defineHost(name: string, content: string): void {
  customElements.define(
    name,
    class extends HTMLElement {
      constructor() {
        super();
        this.attachShadow({ mode: 'open' }).append(document.createElement(content));
      }
    },
  );
}

describe('the autoloader', () => {
  afterEach(() => document.body.replaceChildren());

  it('defines nothing that the document does not contain', () => {
    expect(unused).to.have.length.of.at.least(3);
    expect(unused.filter(isDefined)).to.deep.equal([]);
  });

  it('defines an element that comes into a shadow root of an element that is defined later', async () => {
    const name = unused.shift()!;
    append('late-host');
    expect(isDefined(name)).to.equal(false);
    defineHost('late-host', name);
    await loaded(name);
  });

  it('defines an element that comes into the document, and no other', async () => {
    const name = unused.shift()!;
    append('section').append(document.createElement(name));
    await loaded(name);
    expect(unused.filter(isDefined)).to.deep.equal([]);
  });

  it('defines an element in a closed shadow root that it is given', async () => {
    const name = unused.shift()!;
    const root = append('div').attachShadow({ mode: 'closed' });
    autoload(root);
    append(name, root);
    await loaded(name);
  });

  it('waits for no name that no element can have', async () => {
    const rejections: unknown[] = [];
    const onRejection = ({ reason }: PromiseRejectionEvent): void => void rejections.push(reason);
    window.addEventListener('unhandledrejection', onRejection);
    append('font-face');
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    window.removeEventListener('unhandledrejection', onRejection);
    expect(rejections).to.deep.equal([]);
  });
});
