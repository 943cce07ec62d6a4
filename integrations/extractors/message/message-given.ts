/**
 * Whether "er" or "sie" may be said of somebody, by a title, a word of the family, or one of the most usual given names. Pure;
 * must not guess by the form of a name, and must not be bundled for the edge. Called by message-asking.ts.
 */

export type ThirdPerson = 'er' | 'sie'

/** Names that both have, such as Kim, Sascha and Andrea, are in neither. */
const HE = new Set(
  (
    'herr hr papa papi vater vati opa opi großvater bruder onkel schwager sohn cousin chef mr ' +
    'alexander andreas anton arne axel ben benedikt benjamin bernd bernhard björn bruno carl carsten christian christoph clemens daniel david dennis dieter dirk dominik ' +
    'elias emil erik ernst fabian felix finn florian frank franz frederik friedrich fritz georg gerd gerhard günter günther gustav hannes hans harald heiko heinrich heinz helmut ' +
    'hendrik henrik henry henning herbert hermann holger horst hugo ingo jakob jan jannik jens joachim jochen johann johannes jonas jonathan jörg josef julian jürgen kai karl karsten ' +
    'kevin klaus konrad konstantin kurt lars lennart leon leonard leopold linus lorenz lothar ludwig lukas magnus manfred manuel marc marcel marco mario marius mark markus martin ' +
    'matthias mathias max maximilian mehmet michael moritz mustafa nico niklas nils noah norbert ole oliver oskar otto pascal patrick paul peter philipp rainer ralf ralph raphael reinhard ' +
    'richard robert roland rolf rudolf rüdiger sebastian siegfried simon stefan stephan steffen sven theo theodor thomas thorsten till tim timo tobias tom torsten udo ulrich uwe valentin ' +
    'viktor vincent volker walter werner wilhelm wolfgang ahmed ali hasan ibrahim mohammed omar yusuf james john jack george william antonio giovanni luigi pierre jean carlos pedro miguel'
  ).split(' '),
)
const SHE = new Set(
  (
    'frau fr mama mami mutter mutti oma omi großmutter schwester tante schwägerin tochter cousine chefin mrs ms ' +
    'agnes alexandra alina amelie anastasia angela angelika anja anke anna anne annette annika antje astrid barbara beate bettina birgit brigitte britta carina carla carolin caroline ' +
    'charlotte christa christiane christina christine clara claudia cornelia dagmar daniela diana doris dorothea elena elfriede elisabeth elke ella ellen elsa emilia emily emma erika eva ' +
    'fatima franziska frida frieda friederike gabi gabriele gerda gertrud gisela greta hanna hannah heidi heike helene helga hildegard ida ilse ines ingrid irene iris isabel isabella isabelle jana ' +
    'janina jasmin jennifer jessica johanna judith julia juliane jutta karin karla karolin katharina kathrin katja katrin kerstin klara kristina lara larissa laura lea lena leonie lina linda ' +
    'lisa lotte luise luisa madeleine maja manuela mareike margarete maria marie marina marion marlene martha martina mathilda maya melanie melina mia michaela miriam mira monika nadine nadja natalie ' +
    'nele nicole nina nora olga patricia paula pauline petra pia ramona rebecca regina renate ricarda rita rosa ruth sabine sabrina sandra sara sarah selina silke silvia simone sofia sofie sonja ' +
    'sophia sophie stefanie stephanie susanne svenja sybille tamara tanja tatjana teresa theresa tina ulrike ursula ute vanessa vera verena veronika viktoria yvonne aisha ayse leyla zeynep priya ' +
    'mary jane alice lucy olivia chloe camille giulia francesca carmen'
  ).split(' '),
)

/** Null where it is not known. */
export function thirdPersonOf(name: string): ThirdPerson | null {
  const [first = ''] = name.toLowerCase().split(/[\s.-]/, 1)
  if (HE.has(first)) return 'er'
  return SHE.has(first) ? 'sie' : null
}
