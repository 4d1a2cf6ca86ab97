// The page of a real model, in a frame without an origin. It has a network, and therefore the least else.
import './no-eval.js';
import { keepFocusInFrame } from '../assistant/frame-focus.js';
import { ModelChat } from './chat/model-chat.js';

// What the library would write into the console concerns its developers.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const settings = new URLSearchParams(location.search);
const theme = settings.get('theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;

customElements.define('model-chat', ModelChat);
const chat = document.querySelector<ModelChat>('model-chat')!;
keepFocusInFrame(chat.shadowRoot!);
void chat.connect(settings.get('parent') ?? '');
