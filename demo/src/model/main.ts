// The page of a real model, in a frame without an origin. It has a network, and therefore the least else.
import './no-eval.js';
import { openChat } from '../assistant/chat.js';
import { ModelChat } from './model-chat.js';

// What the library would write into the console concerns its developers.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

openChat('model-chat', ModelChat);
