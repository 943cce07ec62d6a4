/**
 * Splits a shopping list without commas: "milk eggs bin bags", "6 bags of plaster 2 tubs of glue". Splits at
 * amounts, or between everyday goods. Pure; must not split a sentence. Called by items.ts.
 */

/** Everyday things that are named by one word, or by one that is the last of several ("bin bags"). */
const GOODS: ReadonlySet<string> = new Set(
  (
    'milk bread butter eggs egg cheese yoghurt yogurt yoghurts yogurts cream ham bacon sausages chicken mince beef fish salmon tuna rice pasta spaghetti noodles flour sugar salt pepper oil vinegar ' +
    'tea coffee juice water beer wine squash cola lemonade bananas apples oranges lemons limes grapes berries strawberries potatoes spuds carrots onions garlic tomatoes cucumber lettuce salad peppers mushrooms spinach broccoli ' +
    'peas beans lentils cereal oats porridge honey jam marmite hummus wraps rolls bagels crisps biscuits cookies chocolate sweets cake crackers nuts soup stock sauce ketchup mayo mustard herbs mint basil spices ' +
    'nappies diapers wipes tissues soap shampoo toothpaste deodorant bags litter foil clingfilm batteries bulbs candles stamps matches bleach detergent sponges paper roll towels tablets plasters calpol paracetamol ibuprofen ' +
    'milch brot butter eier käse joghurt joghurts quark sahne schinken wurst speck hackfleisch hähnchen fisch lachs thunfisch reis nudeln mehl zucker salz pfeffer öl essig tee kaffee saft wasser bier wein limo ' +
    'bananen äpfel orangen zitronen limetten trauben erdbeeren kartoffeln erdäpfel karotten möhren zwiebeln knoblauch tomaten paradeiser gurke gurken salat paprika pilze spinat brokkoli erbsen bohnen linsen müsli haferflocken hafermilch ' +
    'honig marmelade brötchen semmeln toast chips kekse schokolade kuchen nüsse suppe brühe senf kräuter minze rohrzucker topfen schlagobers rahm windeln feuchttücher taschentücher seife shampoo zahnpasta klopapier küchenrolle ' +
    'müllbeutel alufolie batterien kerzen briefmarken streichhölzer spülmittel waschmittel waschpulver schwämme pflaster katzenstreu katzenfutter hundefutter backpapier'
  ).split(' '),
)
/** Before the thing that they are of. */
const LEADS: ReadonlySet<string> = new Set(
  (
    'oat soy soya almond coconut goat goats skimmed semi whole brown white red green black olive sunflower peanut ice orange apple cat dog bin freezer sandwich baby toilet kitchen loo washing dish dishwasher cling tin ' +
    'wrapping sparkling still frozen fresh big small large new cheap good nice half little spare spring sweet cottage cream cheddar chopped tinned ginger fizzy self-raising plain dried ground gluten free range ' +
    'rote rotes roter roten grüne grüner weißes frische frisches frischer neue neuer große großes kleine kleines kleinen gute guter gutes saure süße ungesalzene gemahlene'
  ).split(' '),
)
/** What another word makes a thing of its own: "orange juice", "peanut butter". */
const ENDS: ReadonlySet<string> = new Set(
  'juice sauce paper roll rolls bags bag litter oil powder liquid soup stock cheese film foil tablets sticks strings spread food towels pods balls bars drops'.split(
    ' ',
  ),
)
const COUNT =
  /^(?:\d{1,3}(?:[.,]\d)?(?:x|kg|g|l|ml|m|mm|cm)?|a|an|one|two|three|four|five|six|eight|ten|some|the|eine?n?|zwei|drei|vier|fünf|sechs|zehn|ein|paar|die|der|das|den)$/iu
const NUMBER =
  /^(?:\d{1,3}x?|two|three|four|five|six|eight|ten|twelve|zwei|drei|vier|fünf|sechs|zehn|zwölf)$/iu
const UNIT =
  /^(?:box|boxes|bag|bags|pack|packs|packet|packets|tub|tubs|tin|tins|can|cans|bottle|bottles|jar|jars|bunch|roll|rolls|lengths?|dozen|loaf|pint|pints|litres?|liters?|crate|crates|sheet|sheets|pots?)$/iu
/** Words of a row. */
const FEWEST = 3
const MOST = 14
const LEAST_KNOWN = 2

/** The things of a row; the text alone where it is one thing, or nothing says that it is several. */
export function thingsInRow(text: string): readonly string[] {
  const words = text.split(/\s+/)
  if (words.length < FEWEST || words.length > MOST || /[()"“”:]/.test(text)) return [text]
  const counts = words.flatMap((word, at) => (beginsCount(words, word, at) ? [at] : []))
  if (counts.length > 1 && counts[0] === 0) return cutAt(words, counts)
  // "2 bags calf nuts" is one thing.
  if (NUMBER.test(words[0] ?? '')) return [text]
  const known = words.filter(isGood)
  const plain = known.filter((word) => !UNIT.test(word) && !ENDS.has(word.toLowerCase()))
  if (plain.length < LEAST_KNOWN || known.length * 2 < words.length) return [text]
  const starts = words.flatMap((word, at) => (at === 0 || begins(words, word, at) ? [at] : []))
  return cutAt(words, starts)
}

function isGood(word: string): boolean {
  return GOODS.has(word.toLowerCase())
}

/** "2 tubs", or "box of" without a number before it. */
function beginsCount(words: readonly string[], word: string, at: number): boolean {
  const [before = '', next = ''] = [words[at - 1], words[at + 1]]
  if (NUMBER.test(word))
    return /^\p{L}/u.test(next) && !NUMBER.test(before) && !/^(?:size|no|type|x|of|von|größe)$/iu.test(before)
  return UNIT.test(word) && next.toLowerCase() === 'of' && !COUNT.test(before)
}

/** A word goes on where the one before it says of what, or is none by itself. */
function begins(words: readonly string[], word: string, at: number): boolean {
  const before = words[at - 1]?.toLowerCase() ?? ''
  const norm = word.toLowerCase()
  if (norm === 'of' || before === 'of' || norm === 'for' || norm === 'für') return false
  if (COUNT.test(norm)) return !COUNT.test(before)
  if (COUNT.test(before) || LEADS.has(before)) return false
  if (ENDS.has(norm) && !ENDS.has(before)) return false
  // What no list has may belong to its neighbour: "cheese string things".
  return isGood(before) || (isGood(norm) && at > 1 && isGood(words[at - 2] ?? ''))
}

function cutAt(words: readonly string[], starts: readonly number[]): readonly string[] {
  return starts.map((start, at) => words.slice(start, starts[at + 1]).join(' '))
}
