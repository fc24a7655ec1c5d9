/** Notes its effect; kills the process that asked for it when `kill.txt` names it. */
export const EFFECT = `
echo "$1 $2" >> effects.log
if [ "$(cat kill.txt 2>/dev/null)" = "$1 $2" ]; then rm kill.txt; kill -9 "$PPID"; exit 1; fi
echo "$2"
`;

/**
 * One real effect, noted. The process that asked for it is killed before or after it when `kill.txt` says so
 * (`before create a`); once.
 */
export const EFFECT_WITH_MOMENTS = `
when=$(cat kill.txt 2>/dev/null)
if [ "$when" = "before $1 $2" ]; then rm kill.txt; kill -9 "$PPID"; exit 1; fi
echo "$1 $2" >> effects.log
if [ "$when" = "after $1 $2" ]; then rm kill.txt; kill -9 "$PPID"; exit 1; fi
echo "$2"
`;
