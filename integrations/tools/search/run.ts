/**
 * Sends the words to the chosen engine, in one request. Must not send anything else, follow a result, or turn a refusal into "nothing
 * found". Called through integrations/tools/port.ts.
 */
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { Credential, ScopedHttp, Tool } from '../../../kernel/tool/manifest.ts'
import type { RowReader } from '../../extractors/page-rows.ts'
import type { HomeToolPowers } from '../package.ts'
import { DEFAULT_SEARCH, engineOf, originOf, type SearchSetting } from './engines.ts'
import { searchManifest } from './manifest.ts'
import type { SearchResult } from './shape.ts'

/** Says nothing of the owner: an engine with a key has no request that costs nothing. */
const TRIAL = 'weather'

export function createSearchTool({
  rows,
  search = DEFAULT_SEARCH,
}: Pick<HomeToolPowers, 'rows' | 'search'>): Tool {
  const find = (words: string, call: SearchCall) => findBy(search, rows, { words, ...call })
  const tool: Tool = {
    manifest: searchManifest(search),
    async execute({ action, args, credential, http }) {
      if (action !== 'web.search') return err('tool_unknown')
      const found = await find(String(args['words']), { credential, http })
      return found.ok ? { ok: true, output: { engine: search.engine, results: found.value } } : found
    },
  }
  if (engineOf(search).key === null) return tool
  return {
    ...tool,
    check: async (call) => {
      const tried = await find(TRIAL, call)
      return tried.ok ? ok(null) : tried
    },
  }
}

/** No address and no words of a page: what an engine without a page of results answers is read without them. */
const NO_ROWS: RowReader = () => ({ rows: [], marks: [] })

/** One search for a word that says nothing of the owner, before an engine that answers in JSON is chosen. */
export async function tryEngine(setting: SearchSetting, call: SearchCall): Promise<Result<null>> {
  const tried = await findBy(setting, NO_ROWS, { words: TRIAL, ...call })
  return tried.ok ? ok(null) : tried
}

interface SearchCall {
  readonly credential: Credential | null
  readonly http: ScopedHttp
}

async function findBy(
  setting: SearchSetting,
  rows: RowReader,
  { words, credential, http }: SearchCall & { readonly words: string },
): Promise<Result<readonly SearchResult[]>> {
  const engine = engineOf(setting)
  if (engine.key !== null && credential === null) return err('credential_missing')
  const answer = await http.request(engine.request(words, { origin: originOf(setting), credential }))
  if (!answer.ok) return answer
  try {
    return await engine.results(answer.value, rows)
  } catch {
    return err('tool_result_invalid', { rule: 'page_unreadable' })
  }
}
