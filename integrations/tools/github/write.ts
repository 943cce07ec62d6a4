/**
 * The two writes of GitHub. The kernel has just looked up who can read the repository, and passes that as an argument; without it
 * no call arrives here. GitHub has no idempotency key for a write, so an unclear outcome is reported as unknown. Must not retry.
 * Called by run.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolOutcome } from '../../../kernel/tool/manifest.ts'
import type { JsonRecord } from '../reading.ts'
import { UNCLEAR } from '../remote.ts'
import { type Api, post } from './api.ts'
import { linked, numberOf } from './shape.ts'
import { itemIn, itemName, pathOf, repoIn } from './target.ts'

export async function createIssue(api: Api): Promise<ToolOutcome> {
  const { repo: named, title, body } = api.call.args
  const repo = repoIn(String(named))
  if (!repo.ok) return repo
  const fields = { title, ...(body !== undefined && { body }) }
  return settled(await post(api, `${pathOf(repo.value)}/issues`, fields), (made) => {
    const number = numberOf(made, 'number')
    return number === null
      ? err('tool_result_invalid', { rule: 'issue' })
      : ok({ item: itemName(repo.value, number), number, ...linked(made) })
  })
}

export async function comment(api: Api): Promise<ToolOutcome> {
  const { item: named, number, body } = api.call.args
  const item = itemIn(String(named), number)
  if (!item.ok) return item
  const path = `${pathOf(item.value)}/issues/${item.value.number}/comments`
  return settled(await post(api, path, { body }), (made) =>
    ok({ item: itemName(item.value, item.value.number), ...linked(made) }),
  )
}

function settled(answer: Result<JsonRecord>, shape: (made: JsonRecord) => Result<object>): ToolOutcome {
  const made = answer.ok ? shape(answer.value) : answer
  if (made.ok) return { ok: true, output: made.value }
  const { code } = made.reason
  return UNCLEAR.has(code) ? err('write_outcome_unknown', { after: code }) : made
}
