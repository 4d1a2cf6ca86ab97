// The page of the assistant, in a frame of another origin than the demo.
import { AssistantChat } from './assistant-chat.js';
import { openChat } from './chat.js';

openChat('assistant-chat', AssistantChat);
