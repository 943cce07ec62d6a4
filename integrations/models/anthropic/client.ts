/**
 * The part of Anthropic's client that is used: named alone, so that a bundler leaves out the rest, which is twice its size. Loaded by
 * model.ts with the first call.
 */
export { BaseAnthropic } from '@anthropic-ai/sdk/client'
