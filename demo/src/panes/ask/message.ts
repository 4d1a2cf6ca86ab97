import type { Context, ContextFormat } from '@inpage-mcp/client/context';

/** What the user reads of each format. */
export const FORMATS: { [format in ContextFormat]: string } = {
  anthropic: 'Anthropic: Messages API',
  openai: 'OpenAI: Responses API',
  'openai-chat': 'OpenAI: Chat Completions API',
  google: 'Google: Gemini API',
  'ai-sdk': 'AI SDK of Vercel',
  mcp: 'MCP: prompt messages',
  text: 'Plain text',
};

/** The context and the question behind it, as an app would send both. */
export function messageOf(
  format: ContextFormat,
  context: Context<ContextFormat>,
  question: string,
): string {
  if ('text' in context) return [context.text, question].filter(Boolean).join('\n\n');
  if (format === 'google') {
    const parts = [...context.parts, ...(question ? [{ text: question }] : [])];
    return JSON.stringify({ contents: [{ role: 'user', parts }] }, null, 2);
  }
  const type = format === 'openai' ? 'input_text' : 'text';
  const content = [...context.parts, ...(question ? [{ type, text: question }] : [])];
  // A message of a prompt has one block.
  const messages =
    format === 'mcp'
      ? content.map((block) => ({ role: 'user', content: block }))
      : [{ role: 'user', content }];
  return JSON.stringify({ [format === 'openai' ? 'input' : 'messages']: messages }, null, 2);
}
