const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Adverbs: the words before the last two of a long name. */
export const ADVERBS: readonly string[] = words(`
  aptly boldly briefly brightly calmly clearly closely dearly deeply duly early easily evenly fairly firmly fondly freely
  freshly fully gently gladly greatly happily highly kindly largely lately lightly likely loudly mainly merely mildly mostly
  neatly nicely openly partly plainly purely quickly quietly rarely readily really rightly safely simply slowly smoothly
  solely soundly steadily strictly surely swiftly truly visibly warmly wholly widely wildly wisely`);

/** Adjectives: the word before the last. */
export const ADJECTIVES: readonly string[] = words(`
  able active agile alert amber ample apt aware bold brave bright brisk calm candid careful cheerful civil classic clean clear
  clever cosmic crisp curious daring dashing deep direct eager early easy elegant epic equal exact fair famous fancy fast fine
  firm fleet fond free fresh gentle genuine giving glad golden good grand great handy happy hardy honest humble ideal keen
  kind lively logical loyal lucky merry mighty modest natural neat nimble noble open patient perky polite prime proud quick
  quiet rapid ready regular robust safe serene sharp shining simple sincere smart smooth social solid sound stable steady
  strong subtle sunny super sweet tidy topical tough trusty upright usable valid vast vital vivid warm wealthy whole willing
  wired wise witty worthy`);

/** Animals: the last word. */
export const ANIMALS: readonly string[] = words(`
  alpaca antelope badger bat bear beaver bee bison boar buffalo camel caribou cat cheetah chipmunk civet cobra condor cougar
  coyote crab crane cricket crow deer dingo dolphin donkey dove duck eagle egret elephant elk emu falcon ferret finch firefly
  fox frog gazelle gecko gibbon giraffe gnu goat goose gopher gorilla grouse gull hamster hare hawk hedgehog heron herring
  hippo hornet horse hyena ibex iguana impala jackal jaguar kangaroo kingfisher kite kiwi koala ladybird lark lemming lemur
  leopard lion lizard llama lobster lynx macaw magpie manatee mantis marmot marten meerkat mink mole mongoose moose moth
  mouse muskox narwhal newt ocelot octopus opossum orca oriole osprey ostrich otter owl oyster panda pangolin panther parrot
  peacock pelican penguin pheasant pigeon pika platypus pony porcupine puffin puma quail rabbit raccoon raven reindeer rhino
  robin salamander salmon seahorse seal serval shrew skink skunk skylark sloth snail sparrow spider squid squirrel stag
  starfish starling stork sturgeon swallow swan swift tapir tern thrush tiger toad tortoise toucan trout tuna turkey turtle
  viper vole vulture wallaby walrus warthog wasp weasel whale wildcat wolf wombat woodpecker wren yak zebra`);
