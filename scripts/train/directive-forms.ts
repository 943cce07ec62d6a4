/**
 * Initial forms of a directive for training: which meanings together make one, weighted in tenths; training adjusts them to the
 * texts. `a+b`: in any order within a few words; `a<b`: `a` in the sentence before. Data only. Called by directives.ts.
 */

import { bucketOfForm } from '../../kernel/prompt/directive/features.ts'
import { TAGS, type Tag } from '../../kernel/prompt/directive/meanings.ts'

/** The meanings of a form are in alphabetical order, as features.ts names them. */
const FORMS = `
drop+orders 10|drop+prior 4|drop+told 8|all+drop+told 4|all+drop+orders 5|drop+orders+prior 8|end+orders 8|end+orders+prior 8|drop+prior+task 8|
drop+task 3|drop+user 3|drop+say+user 8|drop+say+that 5|drop+say 8|canyou+drop+that 6|drop+instead 2|drop+obey 5|above+drop 6|drop<secret 6|drop<canyou 2|drop<ask 2|drop<obey 5|
ask+prompt 10|above+ask 8|above+ask+exactly 6|above+exactly 6|opening 9|my+opening 4|opening+prompt 8|barred 8|ask+barred 6|barred+you 5|ask+barred+you 6|
exactly+prompt 6|ask+orders+prior 4|ask+orders+you 4|
be+product 8|be+machine 8|be+free 10|be+mode 9|be+machine+now 3|be+now 2|be+now+product 6|be+machine+product 6|be+maker 6|maker+product 5|machine+maker 5|
be+free+machine 6|free+machine 6|free+you 5|free+product 6|be+user 2|free+orders 5|free 4|
mode+switched 10|free+mode 6|ask+claim 4|claim+you 2|claim+secret 8|claim+switched 5|canyou+claim 5|claim<canyou 5|claim<secret 6|claim<ask 4|mode<ask 4|
mode<secret 6|claim+machine 3|claim+mode 6|claim+must 4|claim+obey 6|claim+maker 5|mode+personal 5|
imagine+secret 8|imagine<secret 8|imagine+personal 8|imagine<personal 8|imagine+say 9|imagine+machine 4|imagine<machine 4|be+imagine 5|free+imagine 6|
imagine<canyou 3|imagine<ask 2|imagine+orders 3|secret<imagine 4|personal<imagine 4|personal<canyou 2|imagine+prompt 6|
reader 6|drop+reader 8|be+reader 4|reader+say 6|reader+send 6|ask+reader 4|must+reader 5|reader+user 5|reader+task 4|fresh 6|drop+fresh 5|fresh<ask 3|fresh+say 6|
ask+secret+you 8|ask+secret 3|secret+you 3|secret+user 5|personal+user 8|ask+personal+user 4|ask+user 2|hoard+send 10|ask+hoard 7|my+obey 4|obey+orders 3|
obey+user 3|machine+say 2`

export function startingForms(): readonly { readonly bucket: number; readonly weight: number }[] {
  return FORMS.split('|').map((form) => {
    const [name = '', tenths = '0'] = form.trim().split(' ')
    const tags = name.split(/[+<]/).map(tagOf)
    return { bucket: bucketOfForm(tags, name.includes('<')), weight: Number(tenths) / 10 }
  })
}

function tagOf(name: string): Tag {
  const tag = TAGS.find((one) => one === name)
  if (tag === undefined) throw new Error(`no meaning is called ${name}`)
  return tag
}
