// The page of the assistant, in a frame of another origin than the demo.
import { AssistantChat } from './assistant-chat.js';
import { keepFocusInFrame } from './frame-focus.js';

const settings = new URLSearchParams(location.search);
const theme = settings.get('theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;

customElements.define('assistant-chat', AssistantChat);
const chat = document.querySelector<AssistantChat>('assistant-chat')!;
keepFocusInFrame(chat.shadowRoot!);
void chat.connect(settings.get('parent') ?? '');
