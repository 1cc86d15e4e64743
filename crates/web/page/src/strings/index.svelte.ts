/** The language of the page, and its words. */
import type { Words } from "../protocol";
import { en } from "./en";
import { ja } from "./ja";

export type Strings = typeof en;
export type Language = "en" | "ja";

const wished = (): Language => {
    const kept = keep("language");
    if (kept === "en" || kept === "ja") return kept;
    return navigator.language.startsWith("ja") ? "ja" : "en";
};

/** Settings live in the browser's store, where there is one. */
export function keep(name: string, value?: string): string | null {
    try {
        if (value !== undefined) localStorage.setItem(`yomikiri.${name}`, value);
        return localStorage.getItem(`yomikiri.${name}`);
    } catch {
        return null;
    }
}

let now = $state<Language>(wished());

export const language = () => now;
export const t = (): Strings => (now === "ja" ? ja : en);
export const say = (words: Words): string => words[now];

export function setLanguage(wanted: Language): void {
    now = wanted;
    keep("language", wanted);
}

export const number = (n: number): string => new Intl.NumberFormat(now).format(n);
export const seconds = (n: number): string => new Intl.NumberFormat(now, { maximumFractionDigits: n < 10 ? 3 : 1 }).format(n);
export const bytes = (n: number): string =>
    n < 1000 ? `${n} B` : n < 1e6 ? `${number(Math.round(n / 100) / 10)} kB` : `${number(Math.round(n / 1e5) / 10)} MB`;
