/**
 * Where providers may be named in the source (D-01, S-06): libraries in their own adapter, addresses in the models' folder, and
 * model names in two tables and in configuration. Checks the whole tree, and that each rule can fail.
 */
import { expect, it } from 'vitest'
import { readTree, type Sources } from '../../scripts/source-check.ts'

interface Rule {
  readonly what: string
  readonly pattern: RegExp
  readonly only: RegExp
  readonly broken: string
}

const RULES: readonly Rule[] = [
  {
    what: 'Anthropic’s library',
    pattern: /from '@anthropic-ai\/|import\('@anthropic-ai\//,
    only: /^integrations\/models\/anthropic\//,
    broken: "import { x } from '@anthropic-ai/sdk'",
  },
  {
    what: 'OpenAI’s library',
    pattern: /from 'openai[/']|import\('openai[/']/,
    only: /^integrations\/models\/openai\//,
    broken: "const x = await import('openai')",
  },
  {
    what: 'Ollama’s library',
    pattern: /from 'ollama[/']|import\('ollama[/']/,
    only: /^integrations\/models\/ollama\//,
    broken: "import { x } from 'ollama/browser'",
  },
  {
    what: 'an address of a provider',
    pattern: /\b(?:api\.anthropic\.com|api\.openai\.com|openrouter\.ai)\b/,
    only: /^integrations\/models\//,
    broken: "fetch('https://api.openai.com/v1')",
  },
  {
    what: 'the name of a model',
    pattern:
      /['"`](?:claude-[\w.-]+|gpt-\d[\w.-]*|o\d-[a-z]+|(?:llama|qwen|gemma|mistral|phi)[\w.-]*\d[\w.:-]*)['"`]/,
    // The table of cache minimums, and the doctor's suggestions for a new machine: two tables, no default.
    only: /^(?:integrations\/models\/anthropic\/model|sidecar\/doctor\/local-advice)\.ts$/,
    broken: "const MODEL = 'claude-opus-4-5'",
  },
]

function outside({ pattern, only }: Rule, sources: Sources): readonly string[] {
  return [...sources].filter(([path, text]) => !only.test(path) && pattern.test(text)).map(([path]) => path)
}

// A task's template is configuration, in which its owner may name a model.
const production = new Map(
  [...readTree()].filter(([path]) => path.endsWith('.ts') && !/^(?:test|bench)\//.test(path)),
)

it.each(RULES.map((rule) => ({ ...rule, rule })))(
  'the source tree obeys the rule: $what',
  ({ rule, broken }) => {
    expect(outside(rule, production)).toEqual([])
    expect(outside(rule, new Map([['sidecar/x.ts', broken]]))).toEqual(['sidecar/x.ts'])
  },
)
