// The page of a real model, in a frame without an origin. It has a network, and therefore as few other
// permissions as possible.
import './no-eval.js';
import { openChat } from '../assistant/chat.js';
import { ModelChat } from './model-chat.js';

// The library's warnings on the console are for its developers.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

openChat('model-chat', ModelChat);
