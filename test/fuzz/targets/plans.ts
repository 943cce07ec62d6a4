/** Fuzz targets of what planners and template authors write: plans, templates, and a template's file as text. */

import { parse } from 'smol-toml'
import { TOOL_MANIFESTS } from '../../../integrations/tools/registered.ts'
import type { Json } from '../../../kernel/flow/json.ts'
import { err } from '../../../kernel/flow/verdict.ts'
import { PLAN_BOUNDS } from '../../../kernel/task/plan.ts'
import { parsePlan, readPlanAnswer } from '../../../kernel/task/plan-schema.ts'
import { loadTemplates, parseTemplate, TEMPLATE_BOUNDS } from '../../../kernel/template/load.ts'
import { createRegistry } from '../../../kernel/tool/registry.ts'
import { EFFECT_IDS, shippedTemplates } from '../../task/fixtures.ts'
import { CANARY, type Target } from '../target.ts'

/** The tools that ship, which the shipped templates name. */
const SHIPPED = createRegistry(TOOL_MANIFESTS)

const PLAN: Json = {
  steps: [
    { id: 's1', do: 'tool', tool: 'email.list', args: { count: 3, note: CANARY }, independent: true },
    {
      id: 's2',
      do: 'select',
      from: 's1.emails',
      matching: 'said.person',
      where: { field: 'unread', equals: true },
      take: 'all',
    },
    { id: 's3', do: 'forEach', in: 's2', max: 5, tool: 'email.read', args: { id: { $ref: 'item.id' } } },
    { id: 's4', do: 'classify', of: 's3', question: `Is it ${CANARY}?`, options: ['yes', CANARY] },
    { id: 's5', do: 'compose', from: ['s3', 's4'], instruction: `Sum up ${CANARY}`, maxChars: 400 },
    {
      id: 's6',
      do: 'tool',
      tool: 'message.reply',
      args: { text: { $ref: 's5' } },
      when: { ref: 's4', is: 'equals', value: 'yes' },
    },
  ],
  explanation: `because of ${CANARY}`,
}

/** As a provider that keeps to a schema has it. */
const KEPT_PLAN: Json = {
  steps: [
    {
      ...{ id: 's1', do: 'tool', tool: 'email.list', independent: null },
      args: [
        { name: 'count', ref: null, value: 3, list: null },
        { name: 'note', ref: null, value: null, list: [{ ref: 'said.topic', value: null }] },
      ],
      when: { ref: 'w1.emails', is: 'empty', value: null },
    },
  ],
  explanation: null,
  again: null,
}

const TEMPLATES = [...shippedTemplates().values()] as readonly Json[]

const TEMPLATE_FILE = `
template_id = "fuzzed"
triggers = ["adapter:terminal:*:owner"]
intents = ["other"]
principal_class = "owner"
description = "${CANARY}"
allowed_tools = ["email.list", "calendar.*", "message.reply"]
denied_tools = []
max_tool_calls = 3
max_tokens_plan = 2_000
max_tokens_synthesize = 4000
output_sinks = ["sink:terminal:owner"]
data_ceiling = "sensitive"
data_compartments = ["health"]
[inference]
provider = "local"
[[plans]]
intent = "email_check"
explanation = '${CANARY}'
steps = [{ id = "s1", do = "tool", tool = "email.list", args = { count = 0x3 } }]
`

const same = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

export const PLAN_TARGETS: readonly Target[] = [
  {
    ...{ name: 'plan', form: 'value', samples: [PLAN], parse: parsePlan, again: same },
    bounds: [
      PLAN_BOUNDS.steps,
      PLAN_BOUNDS.depth,
      PLAN_BOUNDS.text,
      PLAN_BOUNDS.instruction,
      PLAN_BOUNDS.name,
    ],
    fault: (value) => {
      const { steps } = value as { readonly steps: readonly { readonly id: string }[] }
      if (steps.length > PLAN_BOUNDS.steps) return 'too many steps'
      return steps.every(({ id }, at) => id === `s${at + 1}`) ? null : 'steps out of order'
    },
  },
  {
    ...{ name: 'plan as it is answered', form: 'json', samples: [PLAN, KEPT_PLAN] },
    bounds: [PLAN_BOUNDS.steps, PLAN_BOUNDS.name],
    parse: (input) => {
      let answer: unknown
      try {
        answer = readPlanAnswer(String(input)).plan
      } catch (error) {
        if (error instanceof SyntaxError) return err('plan_malformed')
        throw error
      }
      return parsePlan(answer)
    },
  },
  {
    ...{
      name: 'template',
      form: 'value',
      samples: TEMPLATES,
      bounds: [TEMPLATE_BOUNDS.list, TEMPLATE_BOUNDS.text],
    },
    names: ['tool', 'template'],
    parse: (input) => parseTemplate(input, SHIPPED, EFFECT_IDS),
    fault: (value) => {
      const { template } = value as {
        readonly template: { readonly sinks: readonly string[]; readonly maxToolCalls: number }
      }
      return template.sinks.length > 0 && template.maxToolCalls <= TEMPLATE_BOUNDS.toolCalls
        ? null
        : 'no sink or no budget'
    },
  },
  {
    ...{ name: 'template file', form: 'text', samples: [TEMPLATE_FILE], names: ['tool', 'template'] },
    parse: (input) => {
      let decoded: unknown
      try {
        decoded = parse(String(input))
      } catch {
        return err('template_malformed')
      }
      return loadTemplates([decoded], SHIPPED, EFFECT_IDS)
    },
  },
]
