import type { CallToolResult } from '@modelcontextprotocol/client';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/client/validators/cf-worker';
import { CallToolResultSchema } from '@modelcontextprotocol/core';
import { expect } from '@esm-bundle/chai';
import type { JsonRpcError, JsonRpcResult } from '@inpage-mcp/transport';
import type { LinkedServer } from './linked-server.js';
import { delayWrites } from './database.js';
import { MODERN_META, type RawClient } from './raw-client.js';

type Fields = { [key: string]: unknown };

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  name: string;
  title: string;
  description: string;
  icons: unknown[];
  annotations: Fields;
  inputSchema: { properties: { [name: string]: Fields }; additionalProperties: unknown };
  outputSchema: { type: string };
}

/** The two families of protocol revisions. */
export const ERAS = ['modern', 'legacy'] as const;
export type Era = (typeof ERAS)[number];

const validators = new CfWorkerJsonSchemaValidator();

/**
 * Calls tools on a raw connection of either era, and holds every answer to the official schema of
 * a result and to the output schema that the tool is listed with.
 */
export class ToolCaller {
  readonly client: RawClient;
  readonly #era: Era;
  readonly #capabilities: Fields;
  readonly #tools: Promise<ListedTool[]>;

  /** @param capabilities Those of the client. Default: none. */
  constructor(client: RawClient, era: Era, capabilities: Fields = {}) {
    this.client = client;
    this.#era = era;
    this.#capabilities = capabilities;
    this.#tools = this.#connect();
  }

  /** The tools that are offered, all on one page. */
  async tools(): Promise<ListedTool[]> {
    return await this.#tools;
  }

  async tool(name: string): Promise<ListedTool> {
    const found = (await this.#tools).find((tool) => tool.name === name);
    if (!found) throw new Error(`There is no tool ${name}.`);
    return found;
  }

  /** The result of a call that succeeds. */
  async call(name: string, args: Fields = {}, params: Fields = {}): Promise<CallToolResult> {
    const result = await this.result(name, args, params);
    expect(result.isError, JSON.stringify(result.content).slice(0, 500)).not.to.equal(true);
    const { outputSchema } = await this.tool(name);
    const verdict = validators.getValidator(outputSchema)(result.structuredContent);
    expect(verdict.errorMessage).to.equal(undefined);
    return result;
  }

  /** What a call that succeeds answers as data. */
  async data<Structured = Fields>(name: string, args: Fields = {}): Promise<Structured> {
    return (await this.call(name, args)).structuredContent as Structured;
  }

  /** What a model receives from a call that fails. */
  async failure(name: string, args: Fields = {}): Promise<string> {
    const result = await this.result(name, args);
    expect(result.isError).to.equal(true);
    expect(result.content).to.have.length(1);
    const [block] = result.content;
    const text = block?.type === 'text' ? block.text : '';
    // No stack, and no address of the machine's.
    expect(text).not.to.match(/\n\s+at |https?:\/\/|\.[jt]s:\d/);
    return text;
  }

  /** The result of a call, whatever it is. */
  async result(name: string, args: Fields = {}, params: Fields = {}): Promise<CallToolResult> {
    const answer = await this.client.answerTo(await this.post(name, args, params));
    expect(answer).to.have.property('result');
    return CallToolResultSchema.parse((answer as JsonRpcResult).result);
  }

  /** Sends a call without waiting for its answer; returns its id. */
  async post(name: string, args: Fields = {}, params: Fields = {}): Promise<number> {
    await this.#tools;
    return this.client.post('tools/call', this.#params({ name, arguments: args, ...params }));
  }

  /** Sends a call and cancels it before it can write; returns its id. */
  async postCancelled(databaseName: string, name: string, args: Fields = {}): Promise<number> {
    const allowWrites = await delayWrites(databaseName);
    const requestId = await this.post(name, args);
    this.client.notify('notifications/cancelled', { requestId });
    // Messages are handled in order: with this answer, the call is cancelled.
    await this.request('tools/list');
    await allowWrites();
    return requestId;
  }

  /** Whether a call was answered so far. */
  hasAnswered(id: number): boolean {
    return this.client.received.some(
      (message) => message !== null && !('method' in message) && message.id === id,
    );
  }

  async request(method: string, params: Fields = {}): Promise<JsonRpcResult | JsonRpcError> {
    await this.#tools;
    return await this.client.request(method, this.#params(params));
  }

  async #connect(): Promise<ListedTool[]> {
    if (this.#era === 'legacy') {
      const clientInfo = { name: 'raw', version: '1' };
      const { client } = this;
      const capabilities = this.#capabilities;
      await client.request('initialize', {
        protocolVersion: '2025-11-25',
        capabilities,
        clientInfo,
      });
      client.notify('notifications/initialized');
    }
    const answer = await this.client.request('tools/list', this.#params({}));
    // A server without tools has no such list.
    if ('error' in answer) return [];
    return answer.result['tools'] as ListedTool[];
  }

  #params({ _meta, ...params }: Fields): Fields {
    const meta = this.#era === 'modern' ? MODERN_META : {};
    const capabilities = { 'io.modelcontextprotocol/clientCapabilities': this.#capabilities };
    const era = this.#era === 'modern' ? capabilities : {};
    return { ...params, _meta: { ...meta, ...era, ...(_meta as Fields | undefined) } };
  }
}

/** Calls tools with all rights. */
export function toolsOf(linked: LinkedServer, era: Era = 'modern'): ToolCaller {
  return new ToolCaller(linked.connectRaw(), era);
}
