/** Prompts with the texts that home reads from its folder, for tests of the adapters. */
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import type { Picture } from '../../kernel/task/picture.ts'
import { readPromptTexts } from '../../sidecar/config/home-texts.ts'
import { promptOf } from './request.ts'

export const TEXTS = readPromptTexts()

export function promptFor(words: string, history: readonly string[] = [], picture?: Picture): FinalPrompt {
  return promptOf(TEXTS, words, history, picture)
}
