/**
 * Reads task templates and prompt texts from `templates/` (STYLE 11). A malformed template stops home at its start,
 * rather than at a later message. Must not write. Called by powers.ts.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { decodeTasks, promptTexts, type TemplateFiles } from '../../integrations/templates.ts'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import { EFFECT_IDS } from '../../kernel/powers/effects.ts'
import type { PromptTexts } from '../../kernel/prompt/parts.ts'
import { loadTemplates } from '../../kernel/template/load.ts'
import type { Template } from '../../kernel/template/template.ts'
import type { Registry } from '../../kernel/tool/registry.ts'

const TEMPLATES = new URL('../../templates/', import.meta.url)

/** Refusals: those of `loadTemplates`; template_malformed for a file that is not TOML. */
export function readTemplates(registry: Registry): Result<readonly Template[]> {
  const decoded = decodeTasks(filesIn('tasks'))
  const loaded = decoded.ok ? loadTemplates(decoded.value, registry, EFFECT_IDS) : decoded
  return loaded.ok ? ok(loaded.value.templates) : loaded
}

/** Throws if a prompt text is malformed. */
export function readPromptTexts(): PromptTexts {
  return promptTexts(filesIn('prompts'))
}

function filesIn(folder: 'tasks' | 'prompts'): TemplateFiles {
  const at = new URL(`${folder}/`, TEMPLATES)
  const names = readdirSync(fileURLToPath(at)).sort()
  return new Map(
    names
      .filter((name) => /\.(?:md|toml)$/.test(name))
      .map((name) => [`${folder}/${name}`, readFileSync(new URL(name, at), 'utf8')]),
  )
}
