/** The click of a piece on the board, made of noise: there is no file to load. Only for those who ask for it. */
import { keep } from "./strings/index.svelte";

class Sound {
    on = $state(keep("sound") === "on");
    private context: AudioContext | undefined;

    set(on: boolean): void {
        this.on = on;
        keep("sound", on ? "on" : "off");
        if (on) this.click();
    }

    click(): void {
        if (!this.on || typeof AudioContext === "undefined") return;
        this.context ??= new AudioContext();
        const { sampleRate } = this.context;
        const noise = this.context.createBuffer(1, Math.round(sampleRate * 0.05), sampleRate);
        const samples = noise.getChannelData(0);
        for (let k = 0; k < samples.length; k += 1) samples[k] = (2 * Math.random() - 1) * Math.exp(-k / (sampleRate * 0.006));
        const source = this.context.createBufferSource();
        source.buffer = noise;
        const wood = this.context.createBiquadFilter();
        wood.type = "bandpass";
        wood.frequency.value = 1400;
        source.connect(wood).connect(this.context.destination);
        source.start();
    }
}

export const sound = new Sound();
