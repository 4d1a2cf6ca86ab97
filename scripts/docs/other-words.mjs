// By what other names people search for a page, or for a part of it: those of other programs and
// standards, of errors of the browser, and plain ones.

/** @type {Record<string, string>} */
export const otherWords = {
  'index.html': 'start introduction getting started hello install',
  'guides/embed.html': 'install setup npm quickstart',
  'guides/embed.html#bundlers': 'vite webpack rollup esbuild parcel rspack bun',
  'guides/embed.html#deploy-again': 'cache stale redeploy version outdated mcp-outdated',
  'guides/embed.html#frameworks':
    'next nextjs next.js react vue nuxt svelte sveltekit angular solid preact astro lit ssr jsx',
  'guides/embed.html#without-a-build':
    'cdn script importmap unpkg jsdelivr html plain vanilla without use npm',
  'guides/embed.html#load-less': 'bundle size lazy tree-shaking',
  'guides/embed.html#security-policy': 'trusted-types',
  'guides/notes-and-files.html': 'crud data',
  'guides/notes-and-files.html#notes': 'create update delete remove note edit',
  'guides/notes-and-files.html#files': 'upload blob image attachment',
  'guides/notes-and-files.html#search': 'find full-text',
  'guides/notes-and-files.html#keep-them':
    'backup export import zip persist eviction exportzip importzip restore move another browser computer sync transfer',
  'guides/sync.html':
    'synchronize devices replicate offline-first e2ee encryption couchdb pouchdb nats jetstream',
  'guides/model.html': 'llm ai assistant agent claude gpt chatgpt gemini',
  'guides/model.html#let-the-model-call-tools': 'totools function-calling tool-use',
  'guides/model.html#the-ai-sdk-of-vercel': 'vercel streamtext',
  'guides/model.html#anthropic': 'claude',
  'guides/model.html#openai': 'gpt chatgpt',
  'guides/model.html#google': 'gemini',
  'guides/model.html#the-agent-of-the-browser': 'webmcp modelcontext',
  'guides/model.html#text-of-notes-is-not-instruction': 'injection prompt-injection',
  'guides/frames.html': 'iframe postmessage cross-origin cors origin sandbox',
  'guides/frames.html#only-some-notes':
    'let iframe frame read only some two one notes restrict limit access permission',
  'guides/frames.html#end-access': 'stop revoke remove kick assistant reading access disconnect',
  'guides/desktop-apps.html': 'claude-desktop cursor vscode stdio local bridge',
  'guides/desktop-apps.html#pairing': 'pair code',
  'guides/webviews.html': 'tauri capacitor cordova ionic',
  'guides/show-apps.html': 'mcp-ui ui widget iframe host sep-1865 ext-apps',
  'guides/show-apps.html#the-file-of-the-frame': 'mcp-app-frame.htm frame-url 404',
  'guides/testing.html': 'test jest vitest jsdom happy-dom playwright mock unit',
  'guides/own-worker.html': 'custom server',
  'guides/theming.html': 'theme style css color colour design tokens',
  'guides/theming.html#dark-mode': 'dark-mode dark theme theming night list color-scheme',
  'guides/languages.html': 'i18n l10n translation locale rtl localize',
  'guides/when-something-fails.html': 'error errors troubleshooting debug exception',
  'guides/when-something-fails.html#the-worker-does-not-start': '404',
  'guides/when-something-fails.html#data':
    'quota quotaexceedederror full disk storage-full versionerror',
  'guides/when-something-fails.html#connections': 'disconnected offline timeouterror',
  'details/storage.html': 'indexeddb database persistence',
  'details/storage.html#loss': 'lost data gone',
  'details/limits.html#the-rate': 'rate-limit ratelimit throttle',
  'details/security.html': 'xss vulnerability threat',
  'details/security.html#how-to-report': 'cve disclosure',
  'details/content-security-policy.html': 'csp worker-src connect-src unsafe-inline',
  'details/wire.html': 'json-rpc postmessage messageport transport',
  'details/resources.html#tools': 'create_note search_notes',
  'details/resources.html#subscribing': 'subscribe live updates notification',
  'details/performance.html': 'speed benchmark slow',
  'details/sizes.html': 'kilobytes gzip',
  'details/browsers.html': 'safari firefox chrome chromium webkit edge support',
  'details/glossary.html': 'terms words',
};
