/** The page of the bridge's tests: its server is real, and answers desktop apps on the port of the address. */
import { startRuntime, type PairingQuestion } from '@inpage-mcp/runtime';

const { searchParams } = new URL(location.href);
const port = Number(searchParams.get('port'));
const runtime = await startRuntime({
  worker: () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }),
});

/** The question that the page shows its user. */
let show: (question: PairingQuestion) => void;
const shown = new Promise<PairingQuestion>((resolve) => (show = resolve));
/** The answer, which a test gives. */
let answer: (isSame: boolean) => void;
const answered = new Promise<boolean>((resolve) => (answer = resolve));

const desktop = await runtime.serveDesktop({
  port,
  access: { read: searchParams.get('read')?.split(' ') ?? 'all', write: 'allow', tools: 'all' },
  pair: (question) => {
    show(question);
    return answered;
  },
});

Object.assign(globalThis, {
  runtime,
  desktop,
  /** Resolves with the code, once the page shows it. */
  codeShown: async () => (await shown).code,
  answerPairing: (isSame: boolean) => answer(isSame),
});
